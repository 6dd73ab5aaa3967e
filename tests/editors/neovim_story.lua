-- Drives Neovim's own client through a server for the game in the current buffer, and prints what
-- it got, as JSON in one line.
local told = {}

local function client()
  return vim.lsp.buf_get_clients(0)[next(vim.lsp.buf_get_clients(0))]
end

local function ready()
  return next(vim.lsp.buf_get_clients(0)) ~= nil and client().initialized
end

local function messages()
  return vim.tbl_map(function(one) return one.code end, vim.diagnostic.get(0))
end

local function wait(condition, what)
  assert(vim.wait(20000, condition, 20), 'waited in vain for ' .. what)
end

--- Put the cursor on the first place of a text.
local function go(text)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  assert(vim.fn.search('\\C\\V' .. text, 'c') > 0, text)
end

local function ask(method, more)
  local params = vim.tbl_extend('force', vim.lsp.util.make_position_params(0, 'utf-16'), more or {})
  local answers = assert(vim.lsp.buf_request_sync(0, method, params, 20000), method)
  local answer = answers[next(answers)]
  assert(not answer.error, vim.inspect(answer.error))
  return answer.result
end

local function whole()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n')
end

wait(ready, 'the server')
wait(function() return #messages() > 0 end, 'messages')
told.messages = messages()

go('(siez')
local range = vim.lsp.util.make_given_range_params(nil, nil, 0, 'utf-16').range
local here = vim.diagnostic.get(0)[1]
range.start = { line = here.lnum, character = here.col }
range['end'] = { line = here.end_lnum, character = here.end_col }
local actions = ask('textDocument/codeAction', {
  range = range,
  context = { diagnostics = { here.user_data.lsp and vim.tbl_extend('force', {
    range = range, message = here.message, code = here.code, severity = here.severity,
  }, here.user_data.lsp) } },
})
told.actions = vim.tbl_map(function(one) return one.title end, actions)
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
wait(function() return #messages() == 0 end, 'a game without messages')
told.mended = whole():find('(size', 1, true) ~= nil

go("'CARD (move")
told.hover = table.concat(vim.lsp.util.convert_input_to_markdown_lines(ask('textDocument/hover').contents), '\n')

go("'CARD (top")
vim.api.nvim_win_set_cursor(0, { vim.fn.line('.'), vim.fn.col('.') })
local found = ask('textDocument/completion')
told.completion = vim.tbl_map(function(one) return one.label end, found.items or found)

go('PILE')
vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', { newName = 'HEAP' }), 'utf-16')
told.renamed = { whole():find('PILE', 1, true) == nil, whole():find('vloc HEAP', 1, true) ~= nil }

told.filetype = vim.bo.filetype
told.commands = client().server_capabilities.executeCommandProvider.commands
local groups = {}
for _, text in ipairs({ '(game', 'iloc', "'P", 'HEAP', 'move' }) do
  go(text)
  local column = vim.fn.col('.') + (text:sub(1, 1) == '(' and 1 or 0)
  groups[text] = vim.fn.synIDattr(vim.fn.synID(vim.fn.line('.'), column, 1), 'name')
end
told.groups = groups
client().stop()
wait(function() return next(vim.lsp.buf_get_clients(0)) == nil end, 'the end of the server')
io.stdout:write(vim.json and vim.json.encode(told) or vim.fn.json_encode(told), '\n')
