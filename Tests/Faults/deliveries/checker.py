"""What receivers got against the log: all of it, in order, and again only where something had failed."""

#: An answer later than this share of the time limit may have come too late.
SURE = 0.25


def check(target, log, deaths):
    """Raises AssertionError for the first thing that is wrong with what one receiver got.

    - log: all events of the target's audience, as a stream replays them at the end.
    - deaths: the ends of the gateway's processes, in their order.
    """
    receipts = target.receiver.receipts
    assert not target.receiver.faults, f"{target}: not signed as it should be: {target.receiver.faults[:3]}"
    check_complete(target, log, receipts)
    check_order(target, receipts)
    check_repetitions(target, receipts, deaths)
    check_lanes(target, receipts, deaths)


def check_complete(target, log, receipts):
    """Each event that the filter takes was taken by the receiver, or refused for good; nothing else came."""
    wanted = {event.offset: event for event in log if target.wants(event)}
    done = {each.offset for each in receipts if each.is_success or is_abort(each)}
    lost = [wanted[offset] for offset in sorted(wanted.keys() - done)]
    assert not lost, f"{target}: {len(lost)} of {len(wanted)} events are lost: {lost[:5]}"
    removed = {event.json["messageId"] for event in log if event.name == "message.removed"}
    for receipt in receipts:
        event = wanted.get(receipt.offset)
        if event:
            assert event.name == receipt.type, f"{target}: {receipt} is {event} in the log"
            assert event.json == receipt.data, f"{target}: {receipt} was sent as {receipt.data}, the log has {event}"
        else:
            # What has a message's text leaves the log when the message is removed.
            is_removed = any(message in receipt.body.decode() for message in removed)
            assert is_removed, f"{target}: {receipt} is not for it: {receipt.data}"


def is_abort(receipt):
    return receipt.status == 422 and not receipt.is_broken


def check_order(target, receipts):
    """First receipts ascend within each thread; within the webhook where it has one lane."""
    seen, last = set(), {}
    for receipt in receipts:
        if receipt.offset in seen:
            continue
        seen.add(receipt.offset)
        lane = None if target.concurrency == 1 else receipt.thread
        assert receipt.offset > last.get(lane, -1), f"{target}: {receipt} came after {last[lane]} in thread {lane}"
        last[lane] = receipt.offset


def check_repetitions(target, receipts, deaths):
    """An event comes again if its attempt failed, or was not recorded when the gateway was killed."""
    last = {}
    for receipt in receipts:
        before, last[receipt.offset] = last.get(receipt.offset), receipt
        if before is None or is_failed(before, target):
            continue
        kills = [death for death in deaths_between(before, receipt, deaths) if death.is_kill]
        assert kills, f"{target}: {receipt} came again {receipt.began - before.began:.2f} s after {before}"
        recorded = [death for death in kills if receipt.offset in death.recorded[target.hook.id]]
        assert not recorded, f"{target}: {receipt} came again after {before} was recorded"


def deaths_between(before, receipt, deaths):
    """The ends of processes between the one that sent the first and the one that sent the second.

    A request may be read some time after its process was killed. Its connection tells which process it was.
    """
    return [death for death in deaths if before.connected < death.at <= receipt.connected]


def is_failed(receipt, target):
    """Whether the gateway may have got no answer that ends the matter."""
    return not (receipt.is_success or is_abort(receipt)) or receipt.took() > SURE * target.timeout


def check_lanes(target, receipts, deaths):
    """One attempt of a thread is under way at a time."""
    last = {}
    for receipt in receipts:
        before, last[receipt.thread] = last.get(receipt.thread), receipt
        if before is None or before.is_broken or before.ended is None or before.took() > SURE * target.timeout:
            continue
        is_over = before.ended <= receipt.began or deaths_between(before, receipt, deaths)
        assert is_over, f"{target}: {receipt} came {before.ended - receipt.began:.3f} s before {before} was answered"
