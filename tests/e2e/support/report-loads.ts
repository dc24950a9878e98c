import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const file = process.env['LOADED_MODULES']

/** Imported before a program: writes the address of each module that it loads into the file that the environment names. */
registerHooks({
  load(url, context, next) {
    if (file !== undefined) appendFileSync(file, `${url}\n`)
    return next(url, context)
  },
})
