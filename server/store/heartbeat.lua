--[[ Renew the lease of a server; return the names of all servers whose lease holds.

Leases are measured by the clock of this store, the only one that all servers share.

KEYS  1 servers
ARGV  1 server  2 lease (ms)
]]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%d', now))
redis.call('ZADD', KEYS[1], string.format('%d', now + tonumber(ARGV[2])), ARGV[1])
return redis.call('ZRANGE', KEYS[1], 0, -1)
