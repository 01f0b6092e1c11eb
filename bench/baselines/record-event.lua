-- The third baseline: everything that an event causes, in one script. Its answer names places of product.mjs and millionths.
-- KEYS: 1 the user, 2 their events, 3 their awards, 4 their rank changes, 5 their streak days, 6 their idempotency keys
-- ARGV: user id, metric, value, idempotency key or '', event id, now in ms, day, name, email, tz, attributes in JSON (each '' if absent),
--       ids for awards (one for each that can be made)
local user, metric, value, key = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local event, now, day = ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local NEXT_ID = 12
local function int(number) return string.format('%.0f', number) end

local fields = {
  'total' .. metric, 'highest' .. metric, 'length', 'started', 'last', 'day', 'progress0', 'progress1', 'completed', 'points0', 'points1', 'created',
}
local known = {}
for i, text in ipairs(redis.call('HMGET', KEYS[1], unpack(fields))) do known[fields[i]] = tonumber(text) end
local total, highest = known['total' .. metric] or 0, known['highest' .. metric] or 0
local points = { [0] = known.points0 or 0, [1] = known.points1 or 0 }
local last, length, started = known.last, known.length or 0, known.started

-- The run of the board, and its members: ranked by value, then by the instant at which it was reached, then by order of recording.
local function run_of(board, on) if board == 1 then return math.floor((on - 18267) / 7) end return 0 end
local function board_name(board, run) return 'board:' .. board .. ':' .. run end
local function rank_of(name, member)
  local rank = member and redis.call('ZREVRANK', name, member)
  if rank then return rank + 1 end
  return cjson.null
end

if key ~= '' then
  local original = redis.call('HGET', KEYS[6], metric .. ':' .. key)
  if original then
    local id, on = original:match('^(.-)|(.*)$')
    local boards, systems = {}, {}
    for board = metric, 1 do
      local run = run_of(board, tonumber(on))
      local name = board_name(board, run)
      local rank = rank_of(name, redis.call('HGET', KEYS[1], name))
      boards[#boards + 1] = { board = board, run = run, previousRank = rank, rank = rank }
    end
    for system = 0, metric do
      systems[#systems + 1] = { system = system, before = points[system], total = points[system], awards = {} }
    end
    if not (last and last >= day - 1) then length = 0 end
    return cjson.encode({
      eventId = id, replayed = true, total = int(total), achievements = {},
      streak = { length = length, started = started or cjson.null, day = math.max(known.day, day), last = last or cjson.null, extended = false },
      points = systems, boards = boards,
    })
  end
  redis.call('HSET', KEYS[6], metric .. ':' .. key, event .. '|' .. day)
end

local changed = {}
local function set(field, text) changed[#changed + 1] = field; changed[#changed + 1] = text end
for i, field in ipairs({ 'name', 'email', 'tz' }) do
  if ARGV[7 + i] ~= '' then set(field, ARGV[7 + i]) end
end
if ARGV[11] ~= '' then
  local attributes = cjson.decode(redis.call('HGET', KEYS[1], 'attributes') or '{}')
  for name, text in pairs(cjson.decode(ARGV[11])) do
    if text == cjson.null then attributes[name] = nil else attributes[name] = text end
  end
  set('attributes', cjson.encode(attributes))
end
if not known.created then set('created', ARGV[6]) end
set('updated', ARGV[6])

total = total + value
local reached = highest
if total > highest then highest = total end
set('total' .. metric, int(total))
set('highest' .. metric, int(highest))

local progress = { [0] = known.progress0 or 0, [1] = known.progress1 or 0 }
local today = known.day
if not today or today < day then
  today = day
  progress = { [0] = 0, [1] = 0 }
end
progress[metric] = progress[metric] + value
if not (last and last >= today - 1) then length, started = 0, nil end
local extended = (not last or last < today) and (progress[0] >= 1e6 or progress[1] >= 50e6)
if extended then
  length, started, last = length + 1, started or today, today
  set('last', last)
  redis.call('RPUSH', KEYS[5], today .. '|' .. length)
end
set('length', length)
set('started', started or '')
set('day', today)
set('progress0', int(progress[0]))
set('progress1', int(progress[1]))

local completed = known.completed or 0
local achievements = {}
local function has(place) return bit.band(completed, bit.lshift(1, place)) ~= 0 end
local function complete(place)
  if has(place) then return end
  completed = bit.bor(completed, bit.lshift(1, place))
  achievements[#achievements + 1] = place
  set('achieved' .. place, ARGV[6])
end
if metric == 0 and total >= 1e6 then complete(0) end
if metric == 0 and total >= 10e6 then complete(1) end
if metric == 1 and total >= 1000e6 then complete(2) end
if extended and length >= 7 then complete(3) end
local scholar = has(1) and has(3) and not has(4)
if scholar then complete(4) end
if #achievements > 0 then set('completed', completed) end

local systems = {}
local function award(system, cap, fired)
  if #fired == 0 then return 0 end
  local before, awards = points[system], {}
  for _, one in ipairs(fired) do
    local awarded = math.min(one[2], cap - points[system])
    if awarded ~= 0 then
      points[system] = points[system] + awarded
      awards[#awards + 1] = { id = ARGV[NEXT_ID], trigger = one[1], awarded = awarded, total = points[system] }
      redis.call('RPUSH', KEYS[3], table.concat({ ARGV[NEXT_ID], system, one[1], awarded, points[system], ARGV[6], event }, '|'))
      NEXT_ID = NEXT_ID + 1
    end
  end
  set('points' .. system, int(points[system]))
  systems[#systems + 1] = { system = system, before = before, total = points[system], awards = awards }
  return points[system] - before
end
local function times(threshold) return math.floor(highest / threshold) - math.floor(reached / threshold) end
local fired = {}
if metric == 0 and times(1e6) > 0 then fired[#fired + 1] = { 0, times(1e6) * 10 } end
if metric == 1 and times(100e6) > 0 then fired[#fired + 1] = { 1, times(100e6) * 5 } end
if extended and length % 3 == 0 then fired[#fired + 1] = { 2, 30 } end
if scholar then fired[#fired + 1] = { 3, 500 } end
local xp = award(0, math.huge, fired)
fired = {}
if metric == 1 and times(200e6) > 0 then fired[#fired + 1] = { 0, times(200e6) * 5 } end
if extended and length % 2 == 0 then fired[#fired + 1] = { 1, 2 } end
award(1, 12, fired)

local boards = {}
local function move(board, change)
  local run = run_of(board, day)
  local name = board_name(board, run)
  local member = redis.call('HGET', KEYS[1], name)
  local before = rank_of(name, member)
  local had = tonumber(redis.call('HGET', KEYS[1], name .. ':value')) or 0
  local has = had + change
  if before ~= cjson.null then redis.call('ZREM', name, member) end
  -- Among equal values ZREVRANK goes by the member, last first: who came earlier has the greater one.
  local place = redis.call('INCR', name .. ':moves')
  member = string.format('%014.0f%012.0f', 99999999999999 - now, 999999999999 - place) .. user
  if has > 0 then redis.call('ZADD', name, int(has), member) end
  set(name, member)
  set(name .. ':value', int(has))
  local after = cjson.null
  if has > 0 then after = rank_of(name, member) end
  redis.call('RPUSH', KEYS[4], table.concat({ board, run, ARGV[6], tostring(before), tostring(after), int(had), int(has), event }, '|'))
  boards[#boards + 1] = { board = board, run = run, previousRank = before, rank = after }
end
if metric == 0 and value ~= 0 then move(0, value) end
if xp ~= 0 then move(1, xp * 1e6) end

redis.call('HSET', KEYS[1], unpack(changed))
redis.call('RPUSH', KEYS[2], table.concat({ event, metric, int(value), ARGV[6], day, key }, '|'))
return cjson.encode({
  eventId = event, replayed = false, total = int(total), achievements = achievements,
  streak = { length = length, started = started or cjson.null, day = today, last = last or cjson.null, extended = extended },
  points = systems, boards = boards,
})
