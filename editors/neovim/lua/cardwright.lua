-- Cardwright's language server in Neovim, from 0.7 on.
local M = {}

--- The command that starts the server; `setup` replaces it.
M.command = { 'cardwright', 'lsp' }

--- Keys in a game's buffer, and what they do.
M.keys = {
  ['K'] = vim.lsp.buf.hover,
  ['gd'] = vim.lsp.buf.definition,
  ['gr'] = vim.lsp.buf.references,
  ['<leader>rn'] = vim.lsp.buf.rename,
  ['<leader>ca'] = vim.lsp.buf.code_action,
  ['<leader>cl'] = function() vim.lsp.codelens.run() end,
}

local clients = {}

--- Change the command or the keys; `keys = {}` sets none.
function M.setup(options)
  M.command = options.command or M.command
  M.keys = options.keys or M.keys
end

local function attached(_, buffer)
  vim.bo[buffer].omnifunc = 'v:lua.vim.lsp.omnifunc'
  for key, action in pairs(M.keys) do
    vim.keymap.set('n', key, action, { buffer = buffer, silent = true })
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'BufWritePost' }, {
    buffer = buffer,
    callback = function() vim.lsp.codelens.refresh() end,
  })
  vim.lsp.codelens.refresh()
end

--- Play the game in a terminal: the server says by which command.
vim.lsp.commands['cardwright.play'] = function(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  local asked = { command = command.command, arguments = command.arguments }
  client.request('workspace/executeCommand', asked, function(_, answer)
    if answer and answer.ok then
      vim.cmd('split | terminal ' .. answer.line)
    elseif answer then
      vim.notify(answer.text, vim.log.levels.WARN)
    end
  end)
end

--- Serve the current buffer, by a server for its folder; it is started if there is none.
function M.start()
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(0), ':p:h')
  local id = clients[folder]
  if not (id and vim.lsp.get_client_by_id(id)) then
    id = vim.lsp.start_client({
      name = 'cardwright',
      cmd = M.command,
      root_dir = folder,
      on_attach = attached,
    })
    clients[folder] = id
  end
  if id then
    vim.lsp.buf_attach_client(0, id)
  end
  return id
end

return M
