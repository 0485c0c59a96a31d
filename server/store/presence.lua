--[[ Replace the players connected to a table at one server; return those of all servers, and the leader.

The server reports all its players each time, so a repeated, late or retried call
changes nothing more. Of two connections of a player the later one wins, in
whatever order they are reported: a server that was paused may report an old
connection long after its player moved to another server.

The leader is a server with players. It stays the leader while it has players.
Then, or when it is known to be dead, the calling server takes over, or another
server with players if the caller has none.

KEYS  1 head
ARGV  1 table  2 server  3 channel  4 number of players at this server;  each
      player and the time of the connection (ms);  the dead servers
]]
local head, code, server, channel = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
if not redis.call('HGET', head, 'n') then return false end
local reported, dead = {}, {}
local last = 4 + 2 * tonumber(ARGV[4])
for i = 5, last, 2 do reported[ARGV[i]] = ARGV[i + 1] end
for i = last + 1, #ARGV do dead[ARGV[i]] = true end

local changed = false
local server_of, connected_at = {}, {}
local leader, changed_at = nil, 0
local fields = redis.call('HGETALL', head)
for i = 1, #fields, 2 do
  local field, value = fields[i], fields[i + 1]
  if field == 'leader' then leader = value end
  if field == 'presence_changed_at' then changed_at = tonumber(value) end
  local player = string.match(field, '^player:(.*)$')
  if player then
    local its_server, since = string.match(value, '^(.*) (%d+)$')
    if dead[its_server] or (its_server == server and not reported[player]) then
      redis.call('HDEL', head, field)
      changed = true
    else
      server_of[player], connected_at[player] = its_server, tonumber(since)
    end
  end
end
for player, since in pairs(reported) do
  if not server_of[player] or tonumber(since) > connected_at[player] then
    changed = changed or server_of[player] ~= server
    redis.call('HSET', head, 'player:' .. player, server .. ' ' .. since)
    server_of[player] = server
  end
end

local servers, players = {}, {}
for player, its_server in pairs(server_of) do
  servers[its_server] = true
  players[#players + 1] = player
  players[#players + 1] = its_server
end
if not (leader and servers[leader]) then
  local next_leader = servers[server] and server
  if not next_leader then
    for candidate in pairs(servers) do
      if not next_leader or candidate < next_leader then next_leader = candidate end
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
  redis.call('HSET', head, 'presence_changed_at', string.format('%d', changed_at))
end
local presence = cmsgpack.pack({changed_at, leader or '', players})
if changed then redis.call('SPUBLISH', channel, code .. '\0\0' .. presence) end
return presence
