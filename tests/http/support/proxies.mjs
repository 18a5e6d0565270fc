// proxies.mjs: nginx and haproxy as ordinary processes before the server, each with a configuration in a temporary folder.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { happens } from '../../support/patience.mjs';

/** A path that both proxies refuse: a request for it that reaches the server was hidden from them. */
export const FORBIDDEN = '/v1/formats';

function program(name) {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  const found = folders.map((folder) => join(folder, name)).find(existsSync);
  if (found) return found;
  console.log(`FAILED: ${name} is not installed (make packages-test)`);
  process.exit(1);
}

/** A port that is free now. */
const freePort = () => new Promise((found) => {
  const server = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => found(port));
  });
});

const listens = (port) => new Promise((answered) => {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('connect', () => answered(true)).on('error', () => answered(false)).on('connect', () => socket.destroy());
});

async function launch(name, configuration, flags, ports) {
  const folder = mkdtempSync(join(tmpdir(), `cubed-${name}-`));
  const file = join(folder, `${name}.conf`);
  writeFileSync(file, configuration(folder));
  const child = spawn(program(name), flags(file, folder), { stdio: ['ignore', 'pipe', 'pipe'] });
  const proxy = { name, ports, log: '', ended: false };
  const keep = (text) => (proxy.log = (proxy.log + text).slice(-20000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const exit = new Promise((done) => child.on('exit', done).on('error', done)).then(() => (proxy.ended = true));
  process.on('exit', () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  for (const port of ports) {
    const good = await happens(async () => proxy.ended || listens(port));
    if (proxy.ended || !good) throw new Error(`${name} did not start: ${proxy.log}`);
  }
  proxy.stop = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  return proxy;
}

/** nginx before `upstream` ("127.0.0.1:8080", "unix:/path"). The first port gathers bodies and answers before it passes
 * them on, the second passes them as they come. One process, so that it ends with the test. */
export async function nginx(upstream) {
  const ports = [await freePort(), await freePort()];
  const place = `proxy_pass http://cubed; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host localhost;
      proxy_set_header X-Forwarded-For $remote_addr; proxy_next_upstream off; proxy_read_timeout 120s;`;
  return launch('nginx', (folder) => `
daemon off; master_process off; pid ${folder}/pid; error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off; client_max_body_size 32m; keepalive_requests 100000;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  upstream cubed { server ${upstream}; keepalive 16; keepalive_requests 100000; }
  server { listen 127.0.0.1:${ports[0]}; location ${FORBIDDEN} { return 403; } location / { ${place} } location ~ /events$ { ${place} proxy_buffering off; } }
  server { listen 127.0.0.1:${ports[1]}; location ${FORBIDDEN} { return 403; } location / { ${place} proxy_buffering off; proxy_request_buffering off; } }
}
`, (file, folder) => ['-p', folder, '-c', file, '-e', 'stderr'], ports);
}

/** nginx before `upstream`: a site for each of `places`, which has this place and no other. */
export async function nginxSites(upstream, places) {
  const ports = await Promise.all(places.map(freePort));
  return launch('nginx', (folder) => `
daemon off; master_process off; pid ${folder}/pid; error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  upstream cubed { server ${upstream}; keepalive 16; }
  ${places.map((place, i) => `server { listen 127.0.0.1:${ports[i]}; location / { return 404; } ${place} }`).join('\n  ')}
}
`, (file, folder) => ['-p', folder, '-c', file, '-e', 'stderr'], ports);
}

/** haproxy before `upstream` ("127.0.0.1:8080", "/path"): a kept connection is used for any client. */
export async function haproxy(upstream) {
  const ports = [await freePort()];
  return launch('haproxy', () => `
global
  log stderr format raw local0 warning
  nbthread 1
defaults
  mode http
  log global
  option dontlog-normal
  option forwardfor
  http-reuse always
  retries 0
  timeout connect 120s
  timeout client 120s
  timeout server 120s
frontend front
  bind 127.0.0.1:${ports[0]}
  default_backend back
backend back
  http-request deny if { path_beg ${FORBIDDEN} }
  http-request set-header Host localhost
  server cubed ${upstream} pool-max-conn 16
`, (file) => ['-db', '-f', file], ports);
}
