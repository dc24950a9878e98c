import { describe, expect, test } from 'vitest'
import {
  Role,
  TokenPreset,
  permissions,
  presetPermissions,
  rolePermissions,
} from './permissions.ts'

test('no permission is listed twice', () => {
  expect(new Set(permissions).size).toBe(permissions.length)
  expect(permissions.every((one) => /^[a-z_]+:[a-z_]+$/.test(one))).toBe(true)
})

describe('a role', () => {
  test.each(Role.options)('%s holds each of its permissions once', (role) => {
    expect(new Set(rolePermissions[role]).size).toBe(rolePermissions[role].length)
  })

  test('holds all that the role below it holds', () => {
    expect(rolePermissions.member).toEqual(expect.arrayContaining([...rolePermissions.viewer]))
    expect(rolePermissions.admin).toEqual(expect.arrayContaining([...rolePermissions.member]))
    expect(rolePermissions.owner).toEqual(expect.arrayContaining([...rolePermissions.admin]))
  })

  test('below admin manages neither members, webhooks nor what a launch runs', () => {
    const forAdmins =
      /^(workspace:update|member:(invite|update|remove)|audit:|webhook:|project:configure_launch|token:)/
    expect(rolePermissions.member.filter((one) => forAdmins.test(one))).toEqual([])
  })

  test('viewer changes nothing that is not their own', () => {
    const others = rolePermissions.viewer.filter((one) => !/:read$|^own_|^oauth_grant/.test(one))
    expect(others).toEqual([])
  })
})

describe('a preset', () => {
  test.each(TokenPreset.options)('%s names permissions that exist, each once', (preset) => {
    const held = presetPermissions[preset]
    expect(new Set(held).size).toBe(held.length)
    expect(permissions).toEqual(expect.arrayContaining([...held]))
  })

  test.each(TokenPreset.options.filter((preset) => preset !== 'full'))(
    '%s mints no token',
    (preset) => {
      expect(presetPermissions[preset]).not.toContain('own_token:create')
    },
  )

  test('mission_lifecycle launches and works, and neither claims runs nor updates projects', () => {
    expect(presetPermissions.mission_lifecycle).toEqual(
      expect.arrayContaining(['execution_request:create', 'session:deliver', 'mission:read']),
    )
    expect(presetPermissions.mission_lifecycle).not.toContain('execution_request:claim')
    expect(presetPermissions.mission_lifecycle).not.toContain('project:update')
  })

  test('runner does a run and starts none', () => {
    expect(presetPermissions.runner).toEqual(
      expect.arrayContaining([
        'execution_request:claim',
        'execution_request:report',
        'session:attach',
      ]),
    )
    expect(presetPermissions.runner).not.toContain('execution_request:create')
  })
})
