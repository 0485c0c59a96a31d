--[[ Begin the log of a table with its first commit, unless anything of a table of that code is left.

A creator whose answer was lost asks again with the same commit and finds it:
CREATED once more (and written to, so that there is something to wait for replicas
with, as in append.lua). Of a table that is half there (its head deleted, its log not)
nothing is overwritten: the code is taken.

KEYS  1 head  2 log
ARGV  1 table  2 id of the commit  3 player or ""  4 request or ""  5 commit
      6 idle lifetime (ms)  7 schema  8 channel, or "" as for an append
]]
local head, log = KEYS[1], KEYS[2]
local code, e, player, request, commit = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local idle, schema, channel = ARGV[6], ARGV[7], ARGV[8]

if redis.call('EXISTS', head, log) > 0 then
  local first = redis.call('XRANGE', log, '1-0', '1-0')[1]
  if first and first[2][2] == e and redis.call('PEXPIRE', head, idle) == 1 then return {'CREATED'} end
  return {'TAKEN'}
end

redis.call('XADD', log, '1-0', 'e', e, 'p', '', 'c', commit)
redis.call('HSET', head, 'v', 1, 'e', e, 'schema', schema)
if player ~= '' and request ~= '' then
  redis.call('HSET', head, 'r:' .. player, '1 ' .. e .. ' ' .. request)
end
redis.call('PEXPIRE', head, idle)
redis.call('PEXPIRE', log, idle)
if channel ~= '' then redis.call('SPUBLISH', channel, code .. '\0' .. commit) end
return {'CREATED'}
