"""`distributed`, once it has been imported."""
from tangent.templates.parallel.dask_tasks import of_distributed

of_distributed()
