-- Sends the requests of a file, a path on each line, one after the other: GET, or POST of the body in BENCH_BODY.
local requests, at = {}, 0

function init()
  local body = os.getenv("BENCH_BODY")
  for path in io.lines(os.getenv("BENCH_PATHS")) do
    requests[#requests + 1] = body and wrk.format("POST", path, { ["content-type"] = "application/json" }, body)
      or wrk.format("GET", path)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format('{"perSecond":%f,"p99Ms":%f,"failed":%d}\n', summary.requests / summary.duration * 1e6,
    latency:percentile(99) / 1000, e.status + e.connect + e.read + e.write + e.timeout))
end
