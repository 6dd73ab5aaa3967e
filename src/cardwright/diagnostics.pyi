from cardwright.program.check import Checked as Checked
from cardwright.syntax.diagnostic import (
    Code as Code,
)
from cardwright.syntax.diagnostic import (
    Diagnostic as Diagnostic,
)
from cardwright.syntax.diagnostic import (
    Diagnostics as Diagnostics,
)
from cardwright.syntax.diagnostic import (
    Edit as Edit,
)
from cardwright.syntax.diagnostic import (
    Related as Related,
)
from cardwright.syntax.diagnostic import (
    Severity as Severity,
)
from cardwright.syntax.edit import apply_edits as apply_edits
from cardwright.syntax.source import Span as Span
from cardwright.syntax.source import TextPosition as TextPosition
