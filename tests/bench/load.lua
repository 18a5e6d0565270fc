-- load.lua: what wrk sends: the requests of the file in BENCH_REQUESTS, a line "METHOD PATH BODY" each, in turn.
-- Prints one line of JSON at the end.

local requests, at = {}, 0

function init()
  for line in io.lines(os.getenv("BENCH_REQUESTS")) do
    local method, path, body = line:match("^(%S+) (%S+) ?(.*)$")
    local headers = { ["Content-Type"] = body ~= "" and "application/json" or nil }
    requests[#requests + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"us":%d,"p50":%d,"p99":%d,"failed":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
