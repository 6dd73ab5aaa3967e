from cardwright.jobs.executor import Executor as Executor
