// drop.js: a file may be dropped anywhere on the page; dropped.js finds out what it is.

export function prepareDrop(app) {
  const hasFile = (event) => event.dataTransfer?.types.includes('Files');
  const light = (on) => document.body.classList.toggle('dropping', on);
  addEventListener('dragover', (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    light(true);
  });
  addEventListener('dragleave', (event) => event.relatedTarget || light(false));
  addEventListener('drop', (event) => {
    light(false);
    if (!hasFile(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    import('./dropped.js').then(({ openFile }) => openFile(app, file)).catch(app.notify.bind(app));
  });
}
