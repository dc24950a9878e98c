/** `node scripts/pack/image.ts <app> <folder>` puts an app and all that it needs besides Node below the folder. */
import { resolve } from 'node:path'
import { apps, stageApp } from './app.ts'

const [name, folder] = process.argv.slice(2)
const app = apps.find((one) => one === name)
if (app === undefined || folder === undefined) {
  throw new Error(`Name an app, one of ${apps.join(', ')}, and a folder.`)
}
await stageApp(app, resolve(folder))
