from cardwright.hearts.hierarchy import (
    Hierarchy as Hierarchy,
)
from cardwright.hearts.hierarchy import (
    HierarchyPlayer as HierarchyPlayer,
)
from cardwright.hearts.hierarchy import (
    HierarchyStep as HierarchyStep,
)
from cardwright.hearts.hierarchy import (
    Order as Order,
)
from cardwright.hearts.hierarchy import (
    OrderMode as OrderMode,
)
from cardwright.hearts.hierarchy import (
    Tie as Tie,
)
from cardwright.hearts.hierarchy import (
    order as order,
)
from cardwright.hearts.selectors import ParameterSpec as ParameterSpec
from cardwright.hearts.selectors import Selector as Selector
