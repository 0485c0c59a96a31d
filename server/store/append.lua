--[[ Append one commit to the log of a table: compare, then write, in one step.

Why a script. XADD with an explicit id looks like compare-and-append and is not:
it only asks for an id above the top. After a failover that lost the end of the
log a writer that still knows the lost end would leave a hole, and after a DEL
it would bring a dead table back with its middle. So the head (number and id of
the top commit) is compared here, and ids, not only numbers, are what is
compared: two histories may both have a commit 42.

Why in this order.
1. The request of this player is stored already: the answer is its number,
   whatever the top is by now. A player who asks again after a lost answer must
   hear the same answer, also when the store is full or the table has moved on.
   Stored by this very commit, it is our own write. Either way the head is
   written to, if only its lifetime: the writer goes on to wait for replicas, and
   the server waits only for what was written over the same connection; a first
   try over another one would not count.
2. No head, or a head without a log: GONE. Nothing here may create a key that
   was deleted or has expired.
3. Written by a newer server: NEWER, as we might not understand what we judge.
4. The top is not what the writer expected: if the commit under the writer's
   own number is the writer's own, its first try had arrived and only the answer
   was lost (a client library may even try again by itself). Else CONFLICT.
5. The log must end where the head says, else DAMAGED: nothing is built on it.
6. A timeout is judged by the clock of this server, the only one that all
   writers share: EARLY while the deadline lies ahead.
7. Only now the writes, XADD first. A script has no rollback, but a server that
   is full, read-only or without its replicas refuses a script at its first
   write and never later; before that write nothing has changed.
   (By then the log is known to be there; NOMKSTREAM says it once more.)

A snapshot is a field of the commit it belongs to, so the two cannot part. A
trimmed log keeps that commit: a reader who stands there can read on and can be
told apart from one of another history. The head names the last four commits
with a snapshot: 64 hex digits, the most that a small hash holds in a field. A game
that ends goes into the archive in the same step, so none is forgotten.

Where replicas have to confirm a commit first, there is no channel: what might
still be lost is announced to nobody, and the writer tells of it afterwards.

KEYS  1 head  2 log  3 snapshot of schema 1  4 archived game  5 index of archived games
ARGV  1 table  2 number  3 id  4 id of the commit before  5 player or ""
      6 request or ""  7 commit  8 snapshot or ""  9 "1" to trim
      10 text of the game that ended or ""  11 deadline (ms from now) or ""
      12 "1" for a timeout  13 idle lifetime (ms)  14 schema  15 channel, or ""
      16 lifetime of an archived game (ms)
]]
local head, log, old_snapshot, archived, games = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local code, n, e, p, player, request, commit = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local snapshot, trim, game, due_in, only_when_due = ARGV[8], ARGV[9] == '1', ARGV[10], ARGV[11], ARGV[12] == '1'
local idle, schema, channel, kept = ARGV[13], ARGV[14], ARGV[15], ARGV[16]
local asks = player ~= '' and request ~= ''

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local function known_already(...)
  redis.call('PEXPIRE', head, idle)
  return {...}
end

if asks then
  local last = redis.call('HGET', head, 'r:' .. player)
  if last then
    local at, id, stored = string.match(last, '^(%d+) (%x+) (.*)$')
    if id == e then return known_already('OWN') end
    if stored == request then return known_already('DUPLICATE', at) end
  end
end

local known = redis.call('HMGET', head, 'v', 'e', 'schema', 'deadline', 'checkpoints')
local v, top, written_by, deadline, checkpoints = known[1], known[2], known[3], known[4], known[5] or ''
if not v then return {'GONE'} end
local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
if not last then return {'GONE'} end
if tonumber(written_by) > tonumber(schema) then return {'NEWER', written_by} end

if tonumber(v) ~= tonumber(n) - 1 or top ~= p then
  local mine = redis.call('XRANGE', log, n .. '-0', n .. '-0')[1]
  if mine and mine[2][2] == e then return known_already('OWN') end
  return {'CONFLICT', v, top}
end
if last[1] ~= v .. '-0' then return {'DAMAGED', last[1]} end

if only_when_due and deadline and tonumber(deadline) > now then
  return {'EARLY', string.format('%d', tonumber(deadline) - now)}
end

if snapshot == '' then
  redis.call('XADD', log, 'NOMKSTREAM', n .. '-0', 'e', e, 'p', p, 'c', commit)
else
  redis.call('XADD', log, 'NOMKSTREAM', n .. '-0', 'e', e, 'p', p, 'c', commit, 's', snapshot)
  redis.call('HSET', head, 'snapshot', n, 'checkpoints', string.sub(checkpoints .. e, -64))
  redis.call('DEL', old_snapshot)
end
redis.call('HSET', head, 'v', n, 'e', e, 'schema', schema)
if asks then redis.call('HSET', head, 'r:' .. player, n .. ' ' .. e .. ' ' .. request) end
if due_in ~= '' then redis.call('HSET', head, 'deadline', string.format('%d', now + tonumber(due_in))) end
if trim then redis.call('XTRIM', log, 'MINID', n .. '-0') end
if game ~= '' then
  redis.call('SET', archived, game, 'PX', kept)
  redis.call('ZADD', games, string.format('%d', now), code .. ':' .. n)
  redis.call('ZREMRANGEBYSCORE', games, '-inf', string.format('(%d', now - tonumber(kept)))
end
redis.call('PEXPIRE', head, idle)
redis.call('PEXPIRE', log, idle)
redis.call('PEXPIRE', old_snapshot, idle)
if channel ~= '' then redis.call('SPUBLISH', channel, code .. '\0' .. commit) end
return {'APPENDED'}
