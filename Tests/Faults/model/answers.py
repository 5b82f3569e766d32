"""Answers compared with the model. What the model cannot know (ids, times, contacts) is checked for being plausible."""


class Mismatch(AssertionError):
    """What was read is not what the model says."""


def same(what, found, wanted):
    if found != wanted:
        raise Mismatch(f"{what[:1000]}: read {found!r}, and it must be {wanted!r}")


def message(json, wanted, thread):
    where = f"message {wanted.id} of {thread}"
    same(f"{where}: id", json["id"], wanted.id)
    same(f"{where}: thread", json["threadId"], thread.id)
    same(f"{where}: text", json.get("text"), wanted.text)
    same(f"{where}: author", (json["author"]["kind"], json["author"]["id"]), wanted.author)
    same(f"{where}: direction", json["direction"], "toAgent" if wanted.is_from_customer else "toClient")
    same(f"{where}: type", json["type"], wanted.type)
    same(f"{where}: customType", json.get("customType"), wanted.custom_type)
    same(f"{where}: parent", json.get("parentId"), wanted.parent)
    same(f"{where}: alsoInThread", json.get("alsoInThread"), wanted.also if wanted.parent else None)
    same(f"{where}: attachments", [each["id"] for each in json["attachments"]], wanted.attachments)
    same(f"{where}: status", json["status"], "seen" if wanted.is_seen else "delivered")
    same(f"{where}: seenAt is there", "seenAt" in json, wanted.is_seen)
    same(f"{where}: editedAt is there", "editedAt" in json, wanted.is_edited)
    if wanted.created is None:
        wanted.created = json["createdAt"]
    same(f"{where}: createdAt", json["createdAt"], wanted.created)
    replies = thread.replies(wanted)
    info = json.get("replyInfo", {"count": 0, "mostReplies": []})
    same(f"{where}: replies", info["count"], len(replies))
    counts = {}
    for reply in replies:
        counts[reply.author] = counts.get(reply.author, 0) + 1
    most = [counts.get((author["kind"], author["id"]), 0) for author in info["mostReplies"]]
    same(f"{where}: replies of the authors named", most, sorted(counts.values(), reverse=True)[:5])
    if replies:
        same(f"{where}: last reply", info.get("lastRepliedAt"), replies[-1].created)


def messages(what, items, wanted, thread):
    same(f"{what}: ids", [each["id"] for each in items], [each.id for each in wanted])
    for json, each in zip(items, wanted):
        message(json, each, thread)


def thread(json, wanted, world, account=None):
    where = f"thread {wanted} for {account or 'the desk'}"
    same(f"{where}: id", json["id"], wanted.id)
    same(f"{where}: name", json.get("name"), wanted.name)
    same(f"{where}: customType", json.get("customType"), wanted.custom_type)
    same(f"{where}: state", json["state"], wanted.state)
    same(f"{where}: canAddMoreMessages", json["canAddMoreMessages"], wanted.is_open)
    same(f"{where}: customFields", json["customFields"], wanted.fields)
    same(f"{where}: members", {each["id"] for each in json["members"]}, {each.customer for each in wanted.members})
    same(f"{where}: deskUnreadCount", json["deskUnreadCount"], len(wanted.desk_unread))
    same(f"{where}: agent", json.get("agent", {}).get("id"), wanted.agent and wanted.agent["id"])
    same(f"{where}: contactId is there", "contactId" in json, wanted.has_contact)
    same(f"{where}: contactClosedAt is there", "contactClosedAt" in json, wanted.is_contact_closed)
    if wanted.created is None:
        wanted.created = json["createdAt"]
    same(f"{where}: createdAt", json["createdAt"], wanted.created)
    since = wanted.waits_since
    if since and since.created is None:
        since.created = json.get("waitingSince")  # nobody has read the message yet
    same(f"{where}: waitingSince", json.get("waitingSince"), since and since.created)
    shown = [each for each in wanted.visible(account) if each.is_in_conversation]
    last = json.get("lastMessage")
    same(f"{where}: lastMessage", last and last["id"], shown[-1].id if shown else None)
    if last:
        same(f"{where}: its text", last.get("text"), shown[-1].text and shown[-1].text[:256])
        same(f"{where}: its status", last["status"], "seen" if shown[-1].is_seen else "delivered")
    place = None
    if wanted.channel == "live" and wanted.is_open and wanted.agent is None:
        place = world.queue("live").index(wanted) + 1
    same(f"{where}: queuePosition", json.get("queuePosition"), place)
    if account is None:
        same(f"{where}: channel", json["channel"], wanted.owner.channel)
        same(f"{where}: customer", json["customer"]["id"], wanted.owner.customer)
        same(f"{where}: historyResetAt is there", "historyResetAt" in json, wanted.was_reset)
        return
    member = wanted.members[account]
    same(f"{where}: unreadCount", json["unreadCount"], len(member.unread))
    same(f"{where}: hidden", json.get("hidden", False), member.is_hidden)
    same(f"{where}: memberState", json.get("memberState", "joined"), member.state)
    same(f"{where}: historyResetAt is there", "historyResetAt" in json, wanted.was_reset or member.was_reset)
