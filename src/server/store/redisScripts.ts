/**
 * The steps of a Redis store, each one script and so one step for every process. Keys of a session, in this order: its
 * fields, ids of its messages, the messages, request keys, their order, its run's log. All lie in one cluster slot.
 */

/** Redis' own clock, in whole ms as `ms`; every process reads the same. */
const CLOCK = `
local clock = redis.call('TIME')
local ms = clock[1] * 1000 + math.floor(clock[2] / 1000)
`;

/** Numbers as Redis keeps them: no exponent. */
const WHOLE = `
local function whole(number) return string.format('%.0f', number) end
`;

/** A revision that never comes again, not even for a session that was forgotten and begins anew. */
const REVISION = `
local function nextRevision(before)
  local least = tonumber(before or '0') + 1
  return whole(math.max(clock[1] * 1000000 + clock[2], least))
end
`;

/** Keeps a session so many ms from now, and so many more as its run's lease lasts. */
const KEEP = `
local function keep(live, lease, keepMs, keepLogMs)
  local more = 0
  if live then more = math.max(lease - ms, 0) end
  for at = 1, 5 do redis.call('PEXPIRE', KEYS[at], whole(keepMs + more)) end
  if live then redis.call('PEXPIRE', KEYS[6], whole(keepMs + more)) return end
  redis.call('PEXPIRE', KEYS[6], whole(math.min(keepMs, keepLogMs)))
end
`;

/** Puts a whole transcript in the place of the one before: pairs of id and JSON from ARGV[first] on. */
const TRANSCRIPT = `
local function putTranscript(first, count)
  redis.call('DEL', KEYS[2], KEYS[3])
  for at = first, first + count * 2 - 1, 2 do
    redis.call('RPUSH', KEYS[2], ARGV[at])
    redis.call('RPUSH', KEYS[3], ARGV[at + 1])
  end
end
`;

/** Adds pairs of kind and JSON from ARGV[first] on to a log of this length; gives the new length. */
const APPEND = `
local function append(length, first)
  for at = first, #ARGV - 1, 2 do
    length = length + 1
    redis.call('XADD', KEYS[6], whole(length) .. '-0', 'k', ARGV[at], 'j', ARGV[at + 1])
  end
  return length
end
`;

/** ARGV: request key or ''. Gives the fields, the messages, who holds the key, whether the log is kept, and the time. */
export const READ = `${CLOCK}
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local held = false
if ARGV[1] ~= '' then held = redis.call('HGET', KEYS[4], ARGV[1]) end
return {
  redis.call('HGETALL', KEYS[1]), redis.call('LRANGE', KEYS[3], 0, -1), held,
  redis.call('EXISTS', KEYS[6]), string.format('%.0f', ms)
}
`;

/**
 * ARGV: channel, revision or '', run, reply, attempt, lease, keep, keep log, key or '', what holds it, keys kept at most,
 * number of messages, messages, entries.
 */
export const START_RUN = `${CLOCK}${WHOLE}${REVISION}${KEEP}${TRANSCRIPT}${APPEND}
local run, revision, status = unpack(redis.call('HMGET', KEYS[1], 'run', 'revision', 'status'))
if run and run == ARGV[3] then return 'started' end
if (revision or '') ~= ARGV[2] or status == 'active' then return 'changed' end
if ARGV[9] ~= '' then
  if redis.call('HSET', KEYS[4], ARGV[9], ARGV[10]) == 0 then redis.call('LREM', KEYS[5], 1, ARGV[9]) end
  redis.call('RPUSH', KEYS[5], ARGV[9])
  while redis.call('LLEN', KEYS[5]) > tonumber(ARGV[11]) do
    redis.call('HDEL', KEYS[4], redis.call('LPOP', KEYS[5]))
  end
end
local messages = tonumber(ARGV[12])
putTranscript(13, messages)
redis.call('DEL', KEYS[6])
local length = append(0, 13 + messages * 2)
local lease = ms + tonumber(ARGV[6])
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'revision', nextRevision(revision), 'run', ARGV[3], 'status', 'active',
  'reply', ARGV[4], 'attempt', ARGV[5], 'lease', whole(lease), 'number', '0',
  'committed', whole(length), 'sequence', whole(length), 'superseded', '')
keep(true, lease, tonumber(ARGV[7]), tonumber(ARGV[8]))
redis.call('PUBLISH', ARGV[1], 'log')
return 'started'
`;

/**
 * ARGV: channel, run, number or '', supersede, commit, only if lost (each '1' or ''), attempt or '', lease or '', end or
 * '', error or '', reply's id and JSON or '', keep, keep log, finish reason or '', entries. Gives whether it was written,
 * and the stop.
 */
export const WRITE = `${CLOCK}${WHOLE}${REVISION}${KEEP}${APPEND}
local run, status, number, lease, committed, sequence, superseded, stop, revision = unpack(redis.call('HMGET',
  KEYS[1], 'run', 'status', 'number', 'lease', 'committed', 'sequence', 'superseded', 'stop', 'revision'))
if run ~= ARGV[2] then return { 'fenced' } end
local written = { 'written', stop }
if ARGV[3] ~= '' and tonumber(ARGV[3]) <= tonumber(number) then return written end
if status ~= 'active' then return { 'fenced' } end
if ARGV[6] == '1' and tonumber(lease) > ms then return { 'fenced' } end
local function set(field, value) redis.call('HSET', KEYS[1], field, value) end
if ARGV[3] ~= '' then set('number', ARGV[3]) end
if ARGV[4] == '1' and tonumber(committed) < tonumber(sequence) then
  if superseded ~= '' then superseded = superseded .. ',' end
  set('superseded', superseded .. committed .. '-' .. sequence)
end
local length = append(tonumber(sequence), 16)
set('sequence', whole(length))
if ARGV[5] == '1' then set('committed', whole(length)) end
if ARGV[7] ~= '' then set('attempt', ARGV[7]) end
if ARGV[8] ~= '' then
  lease = whole(ms + tonumber(ARGV[8]))
  set('lease', lease)
end
if ARGV[12] ~= '' then
  local at = redis.call('LPOS', KEYS[2], ARGV[11])
  if at then redis.call('LSET', KEYS[3], at, ARGV[12])
  else
    redis.call('RPUSH', KEYS[2], ARGV[11])
    redis.call('RPUSH', KEYS[3], ARGV[12])
  end
end
if ARGV[9] ~= '' then
  set('status', ARGV[9])
  if ARGV[10] ~= '' then set('error', ARGV[10]) end
  if ARGV[15] ~= '' then set('finish', ARGV[15]) end
end
if ARGV[9] ~= '' or ARGV[12] ~= '' then set('revision', nextRevision(revision)) end
keep(ARGV[9] == '', tonumber(lease), tonumber(ARGV[13]), tonumber(ARGV[14]))
if #ARGV > 15 or ARGV[9] ~= '' then redis.call('PUBLISH', ARGV[1], 'log') end
return written
`;

/** ARGV: revision, keep, number of messages, messages. */
export const PUT_MESSAGES = `${CLOCK}${WHOLE}${REVISION}${TRANSCRIPT}
local revision, status = unpack(redis.call('HMGET', KEYS[1], 'revision', 'status'))
if revision ~= ARGV[1] or status == 'active' then return 'changed' end
putTranscript(4, tonumber(ARGV[3]))
redis.call('HSET', KEYS[1], 'revision', nextRevision(revision))
for at = 1, 5 do redis.call('PEXPIRE', KEYS[at], ARGV[2]) end
return 'written'
`;

/** ARGV: run, from, limit. Gives the log's length, whether its run is live, and the entries. */
export const READ_LOG = `${WHOLE}
local run, status, sequence = unpack(redis.call('HMGET', KEYS[1], 'run', 'status', 'sequence'))
if run ~= ARGV[1] then return false end
if sequence ~= '0' and redis.call('EXISTS', KEYS[6]) == 0 then return false end
local first = whole(tonumber(ARGV[2]) + 1) .. '-0'
local entries = {}
for _, entry in ipairs(redis.call('XRANGE', KEYS[6], first, '+', 'COUNT', ARGV[3])) do
  entries[#entries + 1] = entry[2][2]
  entries[#entries + 1] = entry[2][4]
end
return { sequence, status, entries }
`;

/** ARGV: channel, run, mode. Gives whether the run is live, and the latest run's status. */
export const REQUEST_STOP = `
local run, status, stop = unpack(redis.call('HMGET', KEYS[1], 'run', 'status', 'stop'))
if run ~= ARGV[2] or status ~= 'active' then return { 'not-live', status } end
if stop ~= 'abort' then redis.call('HSET', KEYS[1], 'stop', ARGV[3]) end
redis.call('PUBLISH', ARGV[1], 'stop')
return { 'stopping' }
`;
