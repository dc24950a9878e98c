import { expect, test } from 'vitest'
import { refusalWords } from './refusal.ts'

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
