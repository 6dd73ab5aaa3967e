from cardwright.analysis.measures import (
    MeasureResult as MeasureResult,
    NamedMeasure as NamedMeasure,
)
from cardwright.analysis.subject import Comparison as Comparison, ComparisonCell as ComparisonCell
from cardwright.publication.figures import CaptionLine as CaptionLine, FigureFiles as FigureFiles
from cardwright.study.analyze import analyze_variants as analyze_variants
from cardwright.study.figure import DrawnFigure as DrawnFigure, draw_figure as draw_figure
from cardwright.study.gallery import draw_figures as draw_figures
from cardwright.study.games import StudiedGame as StudiedGame
from cardwright.study.play import StudySettings as StudySettings
from cardwright.study.report import AnalysisReport as AnalysisReport
