import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** The program holds the page's files compressed and sends them as they are. */
function compressed(): Plugin {
  let folder = '';
  return {
    name: 'compressed',
    configResolved: (config) => {
      folder = config.build.outDir;
    },
    closeBundle: () => {
      for (const name of readdirSync(folder)) {
        if (!/\.(html|js|css|svg)$/.test(name)) continue;
        writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(folder, name)), { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [compressed()],
  build: {
    target: 'es2022',
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        entryFileNames: 'viewer.js',
        codeSplitting: false,
        assetFileNames: 'viewer.[ext]',
      },
    },
  },
});
