import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readEnvironment, unknownVariableWarnings, variable } from './env.ts'

const schema = z.object({
  DATABASE_URL: variable('DATABASE_URL'),
  SVC_PORT: variable('SVC_PORT', 'api'),
})
const url = 'postgres://user:hidden-password@localhost/svc'

function fileWith(content: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'svc-env-')), 'secret')
  writeFileSync(path, content)
  return path
}

describe('reading the environment', () => {
  test('gives typed values and defaults, and takes an empty value for an unset one', () => {
    expect(readEnvironment(schema, { DATABASE_URL: url, SVC_PORT: '' })).toEqual({
      DATABASE_URL: url,
      SVC_PORT: 4600,
    })
  })

  test('names a missing variable', () => {
    expect(() => readEnvironment(schema, {})).toThrow(/DATABASE_URL is required/)
  })

  test('names every bad variable and shows no value', () => {
    const bad = { DATABASE_URL: 'mysql://user:hidden-password@host/x', SVC_PORT: '99999' }
    const read = () => readEnvironment(schema, bad)
    expect(read).toThrow(/DATABASE_URL: .*SVC_PORT: /)
    expect(read).not.toThrow(/hidden-password|99999/)
  })

  test('reads a secret from the file that <NAME>_FILE names', () => {
    const env = { DATABASE_URL_FILE: fileWith(`${url}\n`) }
    expect(readEnvironment(schema, env).DATABASE_URL).toBe(url)
  })

  test('refuses a secret given twice, or in a file that is not there', () => {
    const both = { DATABASE_URL: url, DATABASE_URL_FILE: fileWith(url) }
    expect(() => readEnvironment(schema, both)).toThrow(/either DATABASE_URL or DATABASE_URL_FILE/)
    const missing = { DATABASE_URL_FILE: '/nowhere/at/all' }
    expect(() => readEnvironment(schema, missing)).toThrow(/DATABASE_URL_FILE names readable/)
  })

  test('reads no file for a variable that is not secret', () => {
    const env = { DATABASE_URL: url, SVC_PORT_FILE: fileWith('1234') }
    expect(readEnvironment(schema, env).SVC_PORT).toBe(4600)
  })
})

describe('unknown variables', () => {
  test('are warned about with the known name that is near, if there is one', () => {
    const env = { SVC_PROT: '1', SVC_LEASE_SECOND: '9', SVC_FOO: 'x', SVC_USER_TOKEN_FILE: 'x' }
    expect(unknownVariableWarnings(env)).toEqual([
      'SVC_PROT is not known; did you mean SVC_PORT?',
      'SVC_LEASE_SECOND is not known; did you mean SVC_LEASE_SECONDS?',
      'SVC_FOO is not known.',
      // the command line has --token-file for it
      'SVC_USER_TOKEN_FILE is not known.',
    ])
  })

  test('do not include known ones, files of secrets, launch variables or names of others', () => {
    const env = {
      SVC_PORT: '',
      SVC_SECRET_KEYS_FILE: '',
      SVC_OBJECTIVE_ID: '',
      SVC_SCRIPTED: 'slow=2',
      PATH: '',
      DATABASE_URLS: '',
    }
    expect(unknownVariableWarnings(env)).toEqual([])
  })
})
