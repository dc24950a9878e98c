import { expect, test } from 'vitest'
import { CloneUrl } from './clone-url.ts'

test.each([
  'https://git.example.com/acme/web.git',
  'https://git.example.com:8443/a/b',
  'https://git.example.com/My%20Project/_git/web',
  'ssh://git@git.example.com/a.git',
  'ssh://git.example.com:22/a',
])('%j is where a runner may clone from', (url) => {
  expect(CloneUrl.parse(url)).toBe(url)
})

test('the short form of ssh becomes the full one', () => {
  expect(CloneUrl.parse('git@git.example.com:acme/web.git')).toBe(
    'ssh://git@git.example.com/acme/web.git',
  )
})

test.each([
  '',
  'ext::sh -c id',
  'ext::git@h:a',
  'file:///etc',
  '/srv/a',
  '../a',
  '-u',
  '--upload-pack=x',
  'http://h/a',
  'git://h/a',
  'HTTPS://h/a',
  'https:/h/a',
  'https://h',
  'https://h/',
  'https://u:p@h/a',
  'https://token@h/a',
  'ssh://u:p@h/a',
  'ssh://-oProxyCommand=x/a',
  'ssh://-o@h/a',
  '-o@h:a',
  'git@-h:a',
  'git@h:22/a',
  'git@h:/a',
  'git@h:a b',
  'https://h/a b',
  'https://h/a\n',
  'https://h/a\u0000',
  'https://h/a%0a',
  'https://h/a%1F',
  'https://h/a%7f',
  'https://h/a%',
  'https://h/a?t=1',
  'https://h/a#x',
  'https://h/$(id)',
  'https://h:99999/a',
  `https://h/${'a'.repeat(500)}`,
])('%j is not', (url) => {
  expect(CloneUrl.safeParse(url).success).toBe(false)
})
