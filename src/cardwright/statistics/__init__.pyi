from cardwright.statistics.intervals import Sample as Sample
from cardwright.statistics.sequential import SequentialTest as SequentialTest, Verdict as Verdict
