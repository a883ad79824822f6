"""`scipy.spatial.distance`: distances of all pairs."""
import scipy.spatial.distance as distance

from tangent import substitutes_scipy as plain
from tangent.substitutes import SUBSTITUTES

SUBSTITUTES.update({distance.cdist: plain.cdist, distance.pdist: plain.pdist})
