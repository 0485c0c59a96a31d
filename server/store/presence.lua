--[[ Say who looks at a table from one server; learn who does from others, and which of them leads it.

All of it is said each time, so saying it twice, late, or after an answer was
lost changes nothing more. Of two connections of a player the one that was
connected_at later wins, whatever order they are told in: a server that was paused
may hear of an old one long after its player went elsewhere.

The leader is a server that has players. It stays while it has some; then, or
when it is known to be dead, the server that asks takes over, or if that has no
players either, one that has.

KEYS  1 head
ARGV  1 table  2 server  3 channel  4 how many players are here;  they, each
      with the time it connected_at (ms);  then the servers that are dead
]]
local head, code, server, channel = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
if not redis.call('HGET', head, 'v') then return false end
local here, dead = {}, {}
local last = 4 + 2 * tonumber(ARGV[4])
for i = 5, last, 2 do here[ARGV[i]] = ARGV[i + 1] end
for i = last + 1, #ARGV do dead[ARGV[i]] = true end

local changed = false
local players, connected_at, servers = {}, {}, {}
local fields = redis.call('HGETALL', head)
local leader, changed_at = nil, 0
for i = 1, #fields, 2 do
  local field, value = fields[i], fields[i + 1]
  if field == 'leader' then leader = value end
  if field == 'attended' then changed_at = tonumber(value) end
  if string.sub(field, 1, 2) == 'p:' then
    local player = string.sub(field, 3)
    local at, since = string.match(value, '^(.*) (%d+)$')
    if dead[at] or (at == server and not here[player]) then
      redis.call('HDEL', head, field)
      changed = true
    else
      players[player], connected_at[player] = at, tonumber(since)
    end
  end
end
for player, since in pairs(here) do
  if not players[player] or tonumber(since) > connected_at[player] then
    changed = changed or players[player] ~= server
    redis.call('HSET', head, 'p:' .. player, server .. ' ' .. since)
    players[player] = server
  end
end

local said = {}
for player, at in pairs(players) do
  servers[at] = true
  said[#said + 1] = player
  said[#said + 1] = at
end
if not (leader and servers[leader]) then
  local next_leader = servers[server] and server
  if not next_leader then
    for at in pairs(servers) do
      if not next_leader or at < next_leader then next_leader = at end
    end
  end
  if next_leader then
    redis.call('HSET', head, 'leader', next_leader)
  elseif leader then
    redis.call('HDEL', head, 'leader')
  end
  changed = changed or next_leader ~= leader
  leader = next_leader
end
if changed then
  local time = redis.call('TIME')
  changed_at = math.max(changed_at + 1, tonumber(time[1]) * 1000000 + tonumber(time[2]))
  redis.call('HSET', head, 'attended', string.format('%d', changed_at))
end
local attendance = cmsgpack.pack({changed_at, leader or '', said})
if changed then redis.call('SPUBLISH', channel, code .. '\0\0' .. attendance) end
return attendance
