--[[ Append one commit to the log of a table: compare and write in one step.

Why a script. XADD with an explicit id looks like compare-and-append but only
requires an id above the last one. After a failover that lost the end of the log
a writer that still knows the lost end would leave a gap, and after a DEL it
would revive a dead table from its middle. So the head (number and id of the
last commit) is compared here. Numbers alone are not enough: two histories may
both have a commit 42.

Why in this order.
1. The player's request is already stored: the reply is its number, whatever the
   end of the log is by now. A player who repeats a request after a lost reply
   must get the same answer, even when the store is full or the table has moved
   on. If this very commit is stored, the reply is APPENDED. Either way the head
   is written to, if only its lifetime: the writer then waits for replicas, and
   WAIT only covers writes of the same connection; the first attempt may have
   used another one.
2. No head, or a head without a log: GONE. The script must never create a key
   that was deleted or has expired.
3. Written by a newer server: NEWER, as this version may not understand it.
4. The log does not end where the writer expected: if the commit under the
   writer's number is its own, the first attempt succeeded and only the reply was
   lost (client libraries may even retry by themselves). Otherwise CONFLICT.
5. The log must end where the head says, otherwise CORRUPT: nothing is appended.
6. A timeout is judged by the clock of this server, the only one that all
   writers share: NOT_DUE while the deadline lies ahead.
7. Only now the writes, XADD first. A script cannot roll back, but a server that
   is full, read-only or without its replicas refuses a script at its first
   write and never later, so until then nothing has changed.
   (The log is known to exist by then; NOMKSTREAM is a second safeguard.)

A snapshot is a field of its commit, so the two cannot be separated. A trimmed
log keeps that commit: a reader at this position can read on, and can be told
apart from a reader of another history. The head keeps the ids of the last four
commits with a snapshot: 64 hex digits, the longest value of a compact hash. A
game that ends is archived in the same step, so none is missed.

If replicas have to confirm a commit first, the channel is "": the writer
publishes the commit afterwards, as it might still be lost here.

KEYS  1 head  2 log  3 archived game  4 index of archived games
ARGV  1 table  2 number  3 id  4 id of the parent  5 player or ""
      6 request or ""  7 commit  8 snapshot or ""  9 "1" to trim
      10 text of the finished game or ""  11 deadline (ms from now) or ""
      12 "1" for a timeout  13 lifetime of a table (ms)  14 schema  15 channel or ""
      16 lifetime of an archived game (ms)
]]
local head, log, archived, games = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local code, n, id, parent, player, request, commit = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local snapshot, trim, game, deadline_in, only_when_due = ARGV[8], ARGV[9] == '1', ARGV[10], ARGV[11], ARGV[12] == '1'
local table_ttl, schema, channel, game_ttl = ARGV[13], ARGV[14], ARGV[15], ARGV[16]
local has_request = player ~= '' and request ~= ''

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local function already_stored(...)
  redis.call('PEXPIRE', head, table_ttl)
  return {...}
end

if has_request then
  local last_request = redis.call('HGET', head, 'request:' .. player)
  if last_request then
    local stored_n, stored_id, stored_request = string.match(last_request, '^(%d+) (%x+) (.*)$')
    if stored_id == id then return already_stored('APPENDED') end
    if stored_request == request then return already_stored('DUPLICATE', stored_n) end
  end
end

local fields = redis.call('HMGET', head, 'n', 'id', 'schema', 'deadline', 'snapshot_ids')
local last_n, last_id, written_by, deadline, snapshot_ids = fields[1], fields[2], fields[3], fields[4], fields[5] or ''
if not last_n then return {'GONE'} end
local last_entry = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
if not last_entry then return {'GONE'} end
if tonumber(written_by) > tonumber(schema) then return {'NEWER', written_by} end

if tonumber(last_n) ~= tonumber(n) - 1 or last_id ~= parent then
  local stored = redis.call('XRANGE', log, n .. '-0', n .. '-0')[1]
  if stored and stored[2][2] == id then return already_stored('APPENDED') end
  return {'CONFLICT', last_n, last_id}
end
if last_entry[1] ~= last_n .. '-0' then return {'CORRUPT', last_entry[1]} end

if only_when_due and deadline and tonumber(deadline) > now then
  return {'NOT_DUE', string.format('%d', tonumber(deadline) - now)}
end

if snapshot == '' then
  redis.call('XADD', log, 'NOMKSTREAM', n .. '-0', 'id', id, 'parent', parent, 'commit', commit)
else
  redis.call('XADD', log, 'NOMKSTREAM', n .. '-0', 'id', id, 'parent', parent, 'commit', commit, 'snapshot', snapshot)
  redis.call('HSET', head, 'snapshot', n, 'snapshot_ids', string.sub(snapshot_ids .. id, -64))
end
redis.call('HSET', head, 'n', n, 'id', id, 'schema', schema)
if has_request then redis.call('HSET', head, 'request:' .. player, n .. ' ' .. id .. ' ' .. request) end
if deadline_in ~= '' then redis.call('HSET', head, 'deadline', string.format('%d', now + tonumber(deadline_in))) end
if trim then redis.call('XTRIM', log, 'MINID', n .. '-0') end
if game ~= '' then
  redis.call('SET', archived, game, 'PX', game_ttl)
  redis.call('ZADD', games, string.format('%d', now), code .. ':' .. n)
  redis.call('ZREMRANGEBYSCORE', games, '-inf', string.format('(%d', now - tonumber(game_ttl)))
end
redis.call('PEXPIRE', head, table_ttl)
redis.call('PEXPIRE', log, table_ttl)
if channel ~= '' then redis.call('SPUBLISH', channel, code .. '\0' .. commit) end
return {'APPENDED'}
