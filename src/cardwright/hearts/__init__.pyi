from cardwright.hearts.hierarchy import (
    Hierarchy as Hierarchy,
    HierarchyPlayer as HierarchyPlayer,
    HierarchyStep as HierarchyStep,
    Order as Order,
    OrderMode as OrderMode,
    Tie as Tie,
    order as order,
)
from cardwright.hearts.selectors import ParameterSpec as ParameterSpec, Selector as Selector
