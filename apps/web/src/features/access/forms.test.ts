import { expect, test } from 'vitest'
import * as forms from './forms.ts'

test('a form that is kept as a draft is the same again', () => {
  const token = { label: 'laptop', preset: 'runner', days: '7', projectIds: ['a'] } as const
  expect(forms.readToken(forms.writeToken(token), 366)).toEqual(token)
  const invitation = { email: 'new@example.com', role: 'viewer' } as const
  expect(forms.readInvitation(forms.writeInvitation(invitation))).toEqual(invitation)
  const made = { name: 'Acme', slug: 'acme' }
  expect(forms.readNewWorkspace(forms.writeNewWorkspace(made))).toEqual(made)
  const unnamed = forms.readNewWorkspace(forms.writeNewWorkspace({ name: 'Acme', slug: undefined }))
  expect(unnamed.slug).toBeUndefined()
})

test.each(['', 'no form', '[]', '1', 'null', '{"preset":"king","role":7,"projectIds":[1,"a"]}'])(
  'what is no form begins with what most want: %s',
  (text) => {
    expect(forms.readToken(text, 30)).toMatchObject({ label: '', days: '30' })
    expect(forms.readToken(text, 366)).toMatchObject({ preset: 'mission_lifecycle', days: '90' })
    expect(forms.readInvitation(text)).toEqual({ email: '', role: 'member' })
  },
)

test.each([
  ['1', true],
  ['30', true],
  [' 30 ', true],
  ['31', false],
  ['0', false],
  ['-1', false],
  ['1.5', false],
  ['1e1', false],
  ['', false],
])('so many days will do where 30 are the most: %j', (days, will) => {
  expect(forms.problemOfDays(days, 30) === undefined).toBe(will)
})
