import { expect, test } from 'vitest'
import { formOf, readForm, requestOf, writeForm } from './resource-form.ts'

const linked = {
  resourceKey: 'web',
  permission: 'rw',
  primary: true,
  state: 'connected',
  path: null,
  defaultBranch: 'trunk',
  cloneUrl: 'https://git.example.com/acme/web.git',
} as const

test('a resource is written as it is linked, and linked so again', () => {
  const form = readForm(writeForm(formOf(linked)))
  expect(requestOf('p', form)).toEqual({
    id: 'p',
    resourceKey: 'web',
    permission: 'rw',
    primary: true,
    defaultBranch: 'trunk',
    cloneUrl: linked.cloneUrl,
  })
})

test('a new one leaves to the service whether it is the primary one, and one to read is none', () => {
  const form = { ...readForm(''), key: ' docs ' }
  const none = { defaultBranch: null, cloneUrl: null }
  const request = { id: 'p', resourceKey: 'docs', permission: 'rw', ...none }
  expect(requestOf('p', form)).toEqual(request)
  const toRead = { ...form, permission: 'ro', primary: 'yes' }
  expect(requestOf('p', toRead)).toEqual({ ...request, permission: 'ro', primary: false })
})
