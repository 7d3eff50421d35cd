// The page in Chromium, with a recorded run and a live one:
//   node test/browser.mjs GROUSER [PICTURE.png]
// Ends with 1 and says what is wrong; draws in software, so it needs no graphics card.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [grouser, picture] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'grouser_page_'));
const run = join(folder, 'run');
const children = [];

/** Starts the program; resolves with the address that it prints. */
function start(...words) {
  const child = spawn(grouser, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return new Promise((resolve, reject) => {
    let text = '';
    const hear = (data) => {
      text += data;
      const address = /http:\/\/127\.0\.0\.1:\d+\/#token=\w+/.exec(text);
      if (address) resolve({ child, address: address[0] });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', (code) => reject(new Error(`grouser ${words.join(' ')} ended with ${code}: ${text}`)));
  });
}

/** A row of an exported table as numbers by their heads. */
function rowAt(file, time) {
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const heads = head.split(',');
  const row = lines.map((line) => line.split(',').map(Number)).find((numbers) => Math.abs(numbers[0] - time) < 1e-6);
  return Object.fromEntries(heads.map((name, k) => [name, row[k]]));
}

/** Standard deviation of the brightness of what the page shows, 0 ... 255. */
async function contrast(page) {
  const shot = (await page.screenshot({ timeout: 60000 })).toString('base64');
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data: pixels } = context.getImageData(0, 60, 300, 300);
    let sum = 0;
    let squares = 0;
    const count = pixels.length / 4;
    for (let k = 0; k < pixels.length; k += 4) {
      sum += pixels[k];
      squares += pixels[k] ** 2;
    }
    return Math.sqrt(squares / count - (sum / count) ** 2);
  }, shot);
}

const text = (page, selector) => page.textContent(selector);
const shownTime = async (page) => Number.parseFloat(await text(page, '.timeline .time'));
const until = (page, condition, argument) => page.waitForFunction(condition, argument, { timeout: 120000, polling: 100 });

async function openPage(browser, address, errors, viewport) {
  const context = await browser.newContext({ viewport, bypassCSP: true });
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(address);
  await page.waitForSelector('.timeline', { timeout: 120000, state: 'attached' });
  return page;
}

async function testRecorded(browser) {
  execFileSync(grouser, ['run', 'default', '--duration', '3', '-o', run, '--quiet']);
  execFileSync(grouser, ['export', 'csv', run]);
  const { address, child } = await start('view', run, '--no-browser');
  const errors = [];
  const page = await openPage(browser, `${address}&t=2`, errors, { width: 1100, height: 700 });
  await until(page, () => document.querySelectorAll('.plot').length > 1);
  assert.equal(await shownTime(page), 2);

  // The table shows the recorded numbers.
  const recorded = rowAt(join(run, 'csv', 'wheels.csv'), 2);
  const cells = await page.$$eval('.wheels tbody tr:first-child td', (list) => list.map((cell) => cell.textContent));
  assert.equal(cells[1], (100 * recorded['rover/rear_left.slip']).toFixed(1));
  assert.equal(cells[2], (1000 * recorded['rover/rear_left.sinkage [m]']).toFixed(1));
  assert.equal(cells[3], recorded['rover/rear_left.normal [N]'].toFixed(1));

  assert.ok((await contrast(page)) > 4, 'the picture is empty');
  if (picture) await page.screenshot({ path: picture, timeout: 60000 });

  await page.keyboard.press('ArrowRight');
  assert.equal(await shownTime(page), 2.05);
  await page.keyboard.press('Shift+ArrowLeft');
  assert.equal(await shownTime(page), 1.05);
  await page.keyboard.press('Home');
  assert.equal(await shownTime(page), 0);
  const track = await (await page.$('.track')).boundingBox();
  await page.mouse.click(track.x + track.width / 2, track.y + track.height / 2);
  assert.ok(Math.abs((await shownTime(page)) - 1.5) < 0.05);
  await page.keyboard.press(' ');
  await until(page, () => Number.parseFloat(document.querySelector('.timeline .time').textContent) > 1.7);
  await page.keyboard.press(' ');

  await page.mouse.click(420, 610);
  assert.match(await text(page, '.probe'), /This place x -?\d/);
  await page.keyboard.press('Escape');
  assert.equal(await page.isVisible('.probe'), false);

  for (const key of ['k', 'f', 'c', 'm', 'w', 'w', '4', '1', '?', '?']) await page.keyboard.press(key);
  assert.match(await text(page, '.legend'), /Height of the ground \[m\]/);
  await page.click('.wheels tbody tr:nth-child(2)');
  await until(page, () => location.hash.includes('wheel=rover%2Frear_right') && location.hash.includes('k=relief'));
  await page.keyboard.press('p');
  assert.equal(await page.isVisible('.side'), false);
  await page.setViewportSize({ width: 700, height: 500 });
  await until(page, () => document.querySelector('canvas').clientWidth === 700);
  assert.deepEqual(errors, []);

  const stranger = await page.context().newPage();
  await stranger.goto(address.replace(/token=\w+/, `token=${'0'.repeat(32)}`));
  await stranger.waitForSelector('.message');
  await until(stranger, () => document.querySelector('.message')?.textContent.includes('token'));
  await page.context().close();
  child.removeAllListeners('exit');
  child.kill('SIGINT');
}

async function testLive(browser) {
  const output = join(folder, 'live');
  const { address, child } = await start('run', 'default', '--view', '--no-browser', '--duration', '300', '--threads', '1', '-o', output, '--quiet');
  child.removeAllListeners('exit');
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const errors = [];
  const page = await openPage(browser, address, errors, { width: 640, height: 420 });
  await until(page, () => Number.parseFloat(document.querySelector('.timeline .time').textContent) > 0.2);
  await page.keyboard.press(' ');
  await until(page, () => document.querySelector('.facts').textContent.includes('paused'));
  const standing = await shownTime(page);
  for (let k = 0; k < 5; ++k) await page.keyboard.press('.');
  await until(page, (t) => Number.parseFloat(document.querySelector('.timeline .time').textContent) > t, standing);
  await page.keyboard.press('d');
  for (let k = 0; k < 4; ++k) await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  await page.click('text=Go on');
  await until(page, () => document.querySelector('.facts').textContent.includes('driven by hand'));
  assert.match(await text(page, '.live .note'), /8 cm\/s, radius 10.00 m left/);
  await until(page, (t) => Number.parseFloat(document.querySelector('.timeline .time').textContent) > t + 0.5, standing);
  assert.deepEqual(errors, []);
  await page.context().close();
  child.kill('SIGINT');
  assert.equal(await ended, 130);
  const summary = JSON.parse(readFileSync(join(output, 'summary.json'), 'utf8'));
  assert.ok(summary.warnings.some((warning) => warning.includes('driven by hand')), 'the summary does not tell of the driver');
}

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
  ],
});
try {
  await testRecorded(browser);
  console.log('recorded run: passed');
  await testLive(browser);
  console.log('live run: passed');
} finally {
  await browser.close();
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
