--[[ All of a table at one moment: head, snapshot and the log from the snapshot on. Writes nothing.

The commit that the snapshot belongs to comes along: its id must be the one in
the snapshot. Whether the rest is contiguous and chained is for the reader to
check.

KEYS  1 head  2 log  3 snapshot
]]
local head = redis.call('HMGET', KEYS[1], 'v', 'e', 'schema', 'snapshot')
if not head[1] then return false end
local from = head[4] and head[4] .. '-0' or '-'
local snapshot = head[4] and redis.call('GET', KEYS[3])
return {head[1], head[2], head[3], head[4], snapshot, redis.call('XRANGE', KEYS[2], from, '+')}
