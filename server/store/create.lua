--[[ Start the log of a table with its first commit, unless any key of a table with this code exists.

A creator that repeats the request after a lost reply, with the same commit, gets
CREATED again (and the head is written to, so that WAIT covers it, as in
append.lua). A table of which only the head or only the log is left is not
overwritten: the code is taken.

KEYS  1 head  2 log
ARGV  1 table  2 id of the commit  3 player or ""  4 request or ""  5 commit
      6 lifetime of a table (ms)  7 schema  8 channel or "", as in append.lua
]]
local head, log = KEYS[1], KEYS[2]
local code, id, player, request, commit = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local table_ttl, schema, channel = ARGV[6], ARGV[7], ARGV[8]

if redis.call('EXISTS', head, log) > 0 then
  local first = redis.call('XRANGE', log, '1-0', '1-0')[1]
  if first and first[2][2] == id and redis.call('PEXPIRE', head, table_ttl) == 1 then return {'CREATED'} end
  return {'TAKEN'}
end

redis.call('XADD', log, '1-0', 'id', id, 'parent', '', 'commit', commit)
redis.call('HSET', head, 'n', 1, 'id', id, 'schema', schema)
if player ~= '' and request ~= '' then
  redis.call('HSET', head, 'request:' .. player, '1 ' .. id .. ' ' .. request)
end
redis.call('PEXPIRE', head, table_ttl)
redis.call('PEXPIRE', log, table_ttl)
if channel ~= '' then redis.call('SPUBLISH', channel, code .. '\0' .. commit) end
return {'CREATED'}
