from cardwright.statistics.intervals import Sample as Sample
from cardwright.statistics.sequential import SequentialTest as SequentialTest
from cardwright.statistics.sequential import Verdict as Verdict
