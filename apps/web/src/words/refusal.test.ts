import { expect, test } from 'vitest'
import { refusalWords, withoutCode } from './refusal.ts'

test('a code in front of what went wrong is for programs', () => {
  expect(withoutCode('launch_config_untrusted: Runner vm does not trust it.')).toBe(
    'Runner vm does not trust it.',
  )
  expect(withoutCode('web: it is there')).toBe('web: it is there')
})

test('what is wrong with a field is said without the name that programs know it by', () => {
  const of = (message: string, code = 'validation_failed') => refusalWords({ code, message })
  expect(of('endpointUrl: The URL must start with https://.')).toBe(
    'The URL must start with https://.',
  )
  expect(of('moveTo: name another status')).toBe('Name another status.')
  expect(of('Correct the request: title: give a text.')).toBe(
    'Correct the request: title: give a text.',
  )
  expect(of('web: it runs', 'conflict')).toBe('web: it runs')
})
