"""The figures, in the order of the table. Each module has NAME, ABOUT and `measure(bench) -> [Row]`."""

from . import (
    before, build_time, collections, counts, cxone, desk, durable_send, fan_out, feed_forms, growth, hot_page, idle_memory, key_check,
    long_thread, matrix, one_connection, pages, postgres, postgres_trips, python_client, scroll_history, sendbird, slow_disk, start_up, synchronization, targeted, webhooks)

ALL = [
    before, counts, pages, durable_send, slow_disk, one_connection, hot_page, key_check, fan_out, feed_forms, targeted, idle_memory, long_thread, growth, desk, start_up,
    collections, synchronization, cxone, sendbird, webhooks, scroll_history, python_client, matrix, postgres, postgres_trips, build_time]
