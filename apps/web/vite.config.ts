import type { UserConfig } from 'vite'
import { entitiesByTable } from './plugins/entities-by-table.ts'
import { noZod } from './plugins/no-zod.ts'
import { valuesAtBuild } from './plugins/values-at-build.ts'

const config: UserConfig = {
  root: import.meta.dirname,
  logLevel: 'warn',
  plugins: [valuesAtBuild(), noZod(), entitiesByTable()],
  // a worker is bundled by itself
  worker: { format: 'es', plugins: () => [valuesAtBuild(), noZod()] },
  css: { transformer: 'lightningcss' },
  build: {
    target: ['chrome123', 'firefox128', 'safari18'],
    cssMinify: 'lightningcss',
    // a few KiB for all pages: one request, where each page would make another
    cssCodeSplit: false,
    // what is inlined as data: would need a wider policy than the app has
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // what every page needs is one file, and not one for each set of pages that share a part of it
      output: { codeSplitting: { groups: [{ name: 'app', tags: ['$initial'] }] } },
      onLog: (level, log, report) => {
        // said of every module of React's libraries; all of this runs in the browser
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
      },
    },
  },
}

export default config
