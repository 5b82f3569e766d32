-- For wrk: pages of 20 that nobody has asked for yet, so that none is in memory.
--
--   wrk ... -s cold.lua URL -- PREFIX LOW HIGH
--
-- PREFIX is a cursor's list and direction. Each page begins at a random time from LOW to HIGH, in milliseconds, and at a
-- message number of its own.
local prefix, low, high
local number = os.time() * 100000

function init(arguments)
    prefix, low, high = arguments[1], tonumber(arguments[2]), tonumber(arguments[3])
    math.randomseed(os.time())
end

function request()
    number = number + 1
    local cursor = string.format("%s%d.%d", prefix, math.random(low, high), number)
    return wrk.format("GET", wrk.path .. "?limit=20&cursor=" .. cursor)
end
