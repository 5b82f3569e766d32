"""The figures, in the order of the table. Each module has NAME, ABOUT and `measure(bench) -> [Row]`."""

from . import durable_send, hot_page, fan_out, targeted, idle_memory, long_thread, start_up, matrix, collections, synchronization

ALL = [durable_send, hot_page, fan_out, targeted, idle_memory, long_thread, start_up, collections, synchronization, matrix]
