--[[ A table at one moment: its head, and its log from the last snapshot, or from its beginning. Writes nothing.

The snapshot comes as a field of the first entry. (Schema 1 kept it in a key of
its own; it is handed over beside the log until the next snapshot is made.)
The entries come as one piece, which is read far faster than hundreds of small ones.
Whether the log is contiguous and chained is for the reader to check.

KEYS  1 head  2 log  3 snapshot of schema 1
ARGV  1 "1" to read from the beginning of the log
]]
local head = redis.call('HMGET', KEYS[1], 'v', 'e', 'schema', 'snapshot', 'deadline', 'checkpoints')
if not head[1] then return false end
local from = '-'
if head[4] and ARGV[1] ~= '1' then from = head[4] .. '-0' end
local left = false
if head[5] then
  local time = redis.call('TIME')
  left = math.max(0, tonumber(head[5]) - tonumber(time[1]) * 1000 - math.floor(tonumber(time[2]) / 1000))
end
local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
local entries = cmsgpack.pack(redis.call('XRANGE', KEYS[2], from, '+'))
local begins = first and first[1] or false
return {head[1], head[2], head[3], redis.call('GET', KEYS[3]), left, begins, head[6], entries}
