import { expect, test } from 'vitest'
import { signInCookie } from './cookie.ts'

test.each([
  ['https://svc.example', '__Host-svc_session=x; Path=/; HttpOnly; Secure; SameSite=Lax'],
  ['http://localhost:4600', 'svc_session_4600=x; Path=/; HttpOnly; SameSite=Lax'],
  ['http://127.0.0.2:4600', 'svc_session_4600=x; Path=/; HttpOnly; SameSite=Lax'],
  ['http://[::1]', 'svc_session_80=x; Path=/; HttpOnly; SameSite=Lax'],
])('at %s a browser keeps the cookie of a sign-in', (baseUrl, header) => {
  expect(signInCookie(baseUrl).set('x')).toBe(header)
})
