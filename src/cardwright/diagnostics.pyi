from cardwright.program.check import Checked as Checked
from cardwright.syntax.diagnostic import (
    Code as Code,
    Diagnostic as Diagnostic,
    Diagnostics as Diagnostics,
    Edit as Edit,
    Related as Related,
    Severity as Severity,
)
from cardwright.syntax.edit import apply_edits as apply_edits
from cardwright.syntax.source import (
    Source as Source,
    Span as Span,
    TextPosition as TextPosition,
)
