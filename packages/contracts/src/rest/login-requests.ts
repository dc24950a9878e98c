import { z } from 'zod'
import { byRequest } from '../counting.ts'
import { Uuid } from '../ids.ts'
import {
  DeviceLabel,
  LoginAnswer,
  LoginChallenge,
  LoginRequest,
  LoginVerifier,
} from '../login-request.ts'
import type { EndpointContract } from './endpoint.ts'
import { byId } from './parts.ts'

/** How a command line gets a token of a person who approves it in a browser, wherever that is. */
export const loginRequestsEndpoints = {
  /** A repeated challenge is answered by the request that it made. */
  createLoginRequest: {
    method: 'POST',
    path: '/api/login-requests',
    permission: 'public',
    body: z.strictObject({ challenge: LoginChallenge, device: DeviceLabel }),
    answer: LoginRequest,
    status: 201,
    repeat: 'natural',
  },
  /** A wrong verifier ends the request. */
  pollLoginRequest: {
    method: 'POST',
    path: '/api/login-requests/:id/poll',
    permission: 'public',
    params: byId(Uuid),
    body: z.strictObject({ verifier: LoginVerifier }),
    answer: LoginAnswer,
    status: 200,
    repeat: 'natural',
    counts: byRequest,
  },
} as const satisfies Record<string, EndpointContract>
