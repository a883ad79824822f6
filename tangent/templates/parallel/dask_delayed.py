"""`dask.delayed`, once it has been imported."""
from tangent.templates.parallel.dask_tasks import of_delayed

of_delayed()
