--[[ Read a table atomically: its head, and its log from the last snapshot or from the start. Writes nothing.

The snapshot is a field of the first entry. The entries are packed into one
string, which is parsed far faster than hundreds of small ones. The reader checks
that the log is contiguous and chained.

KEYS  1 head  2 log
ARGV  1 "1" to read from the start of the log
]]
local head = redis.call('HMGET', KEYS[1], 'n', 'id', 'schema', 'snapshot', 'deadline', 'snapshot_ids')
local n, id, schema, snapshot, deadline, snapshot_ids = head[1], head[2], head[3], head[4], head[5], head[6]
if not n then return false end
local start = '-'
if snapshot and ARGV[1] ~= '1' then start = snapshot .. '-0' end
local deadline_in = false
if deadline then
  local time = redis.call('TIME')
  deadline_in = math.max(0, tonumber(deadline) - tonumber(time[1]) * 1000 - math.floor(tonumber(time[2]) / 1000))
end
local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
local entries = cmsgpack.pack(redis.call('XRANGE', KEYS[2], start, '+'))
return {n, id, schema, deadline_in, first and first[1] or false, snapshot_ids, entries}
