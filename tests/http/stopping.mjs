// stopping.mjs: SIGTERM while the tables of solvers are being made, just after the start: the server does not wait for
// them, not on a slow machine either. That is one on which it runs a twentieth of the time.
//
//     node tests/http/stopping.mjs PATH_TO_BINARY
import { check, exchange, finish, GOOD, sleep, start } from './support/server.mjs';

const [RUN_MS, REST_MS] = [15, 285];

/** Makes the machine slow for a process, until it ends. */
async function slow({ child, ended }) {
  let over = false;
  ended.then(() => (over = true));
  while (!over) {
    child.kill('SIGSTOP');
    await sleep(REST_MS);
    child.kill('SIGCONT');
    await Promise.race([sleep(RUN_MS), ended]);
  }
}

let late = 0;
for (const after_ms of [0, 0, 100, 200]) {
  const server = await start();
  const answer = await exchange(server.port, GOOD);
  check('it answers before the tables are there', answer.statuses[0] === 200);
  await sleep(after_ms);
  const slowed = slow(server);
  const { code } = await server.stop();
  check(`SIGTERM ${after_ms} ms after the start`, code === 0, `${code} ${server.errors()}`);
  if (/msg=stopping[^]*tables made/.test(server.errors())) late++;
  server.child.kill('SIGKILL');
  await slowed;
}
// One may have been ready just then.
check('no tables are made after SIGTERM', late <= 1, late);
finish();
