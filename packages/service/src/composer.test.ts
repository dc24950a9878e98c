import { readEnvironment } from '@svc/process/env'
import { describe, expect, test } from 'vitest'
import { ComposerEnvironment, openComposer } from './composer.ts'

const url = 'http://127.0.0.1:9/v1'
const open = (given: Record<string, string>) =>
  openComposer(readEnvironment(ComposerEnvironment, given))

describe('a composer', () => {
  test('is there only where its address is set', () => {
    expect(open({ SVC_COMPOSER_MODEL: 'small', SVC_COMPOSER_KEY: 'k' })).toBeUndefined()
    expect(open({ SVC_COMPOSER_URL: url, SVC_COMPOSER_MODEL: 'small' })).toBeDefined()
  })

  test('is not taken without a model', () => {
    expect(() => open({ SVC_COMPOSER_URL: url })).toThrow('SVC_COMPOSER_MODEL is required')
  })

  test.each(['ftp://host/v1', 'https://user:key@host/v1', 'https://host/v1?key=k'])(
    'is not taken at %s',
    (address) => {
      expect(() => open({ SVC_COMPOSER_URL: address, SVC_COMPOSER_MODEL: 'small' })).toThrow(
        'SVC_COMPOSER_URL',
      )
    },
  )

  test('is never asked at the address of a cloud machine for itself', async () => {
    const composer = open({
      SVC_COMPOSER_URL: 'http://169.254.169.254/v1',
      SVC_COMPOSER_MODEL: 'small',
    })
    const asked = { instructions: '', material: '', signal: new AbortController().signal }
    expect(await composer?.compose(asked)).toEqual({
      ok: false,
      why: 'the composer answered blocked_address',
    })
  })
})
