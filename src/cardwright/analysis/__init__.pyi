from cardwright.analysis.measures import (
    MeasureResult as MeasureResult,
)
from cardwright.analysis.measures import (
    NamedMeasure as NamedMeasure,
)
from cardwright.analysis.subject import Comparison as Comparison
from cardwright.analysis.subject import ComparisonCell as ComparisonCell
from cardwright.publication.figures import CaptionLine as CaptionLine
from cardwright.publication.figures import FigureFiles as FigureFiles
from cardwright.study.analyze import analyze_variants as analyze_variants
from cardwright.study.figure import DrawnFigure as DrawnFigure
from cardwright.study.figure import draw_figure as draw_figure
from cardwright.study.gallery import draw_figures as draw_figures
from cardwright.study.games import StudiedGame as StudiedGame
from cardwright.study.play import StudySettings as StudySettings
from cardwright.study.report import AnalysisReport as AnalysisReport
