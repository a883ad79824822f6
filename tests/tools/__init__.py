"""What tests are made with: differences, samples, judges, arrays that forbid conversions."""
