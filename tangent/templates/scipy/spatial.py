"""`scipy.spatial.distance`: distances of all pairs."""
import scipy.spatial.distance as distance

from tangent.runtime.references import scipy as plain
from tangent.runtime.references.table import SUBSTITUTES

SUBSTITUTES.update({distance.cdist: plain.cdist, distance.pdist: plain.pdist})
