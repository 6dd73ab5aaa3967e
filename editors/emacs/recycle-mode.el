;;; recycle-mode.el --- Writing card games in RECYCLE  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages, games

;;; Commentary:

;; A mode for files *.rcy: colours, layout of brackets, comments.  With eglot, which Emacs has from
;; version 29 on and GNU ELPA for older ones, `M-x eglot' starts Cardwright's language server.

;;; Code:

(require 'recycle-words)

(defgroup recycle nil
  "Writing card games in RECYCLE."
  :group 'languages)

(defcustom recycle-cardwright-command "cardwright"
  "The command of Cardwright: a name on the path, or a file."
  :type 'string)

(defvar recycle-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?\; "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\' "_" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?\( "()" table)
    (modify-syntax-entry ?\) ")(" table)
    table)
  "Syntax table of `recycle-mode'.")

(defun recycle--one-of (words)
  "Return a regular expression for any of WORDS, whole."
  (regexp-opt words 'symbols))

(defvar recycle-font-lock-keywords
  (let ((case-fold-search nil))
    `((,(recycle--one-of recycle-kinds) . font-lock-type-face)
      (,(recycle--one-of recycle-frame) . font-lock-keyword-face)
      (,(recycle--one-of recycle-actions) . font-lock-builtin-face)
      (,(recycle--one-of recycle-owners) . font-lock-variable-name-face)
      (,(recycle--one-of recycle-values) . font-lock-function-name-face)
      ("'[A-Z][A-Za-z0-9_]*" . font-lock-variable-name-face)
      ("\\_<[A-Z][A-Za-z0-9_]*\\_>" . font-lock-constant-face)
      ("\\_<[a-z]+\\_>" . font-lock-warning-face)))
  "Colours of `recycle-mode'; small words that are left are not of the language.")

(defun recycle-indent-line ()
  "Indent a line by 2 more than the line in which its bracket opens."
  (let* ((open (nth 1 (save-excursion (syntax-ppss (line-beginning-position)))))
         (column (if (not open)
                     0
                   (save-excursion
                     (goto-char open)
                     (back-to-indentation)
                     (+ 2 (current-column))))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

;;;###autoload
(define-derived-mode recycle-mode prog-mode "RECYCLE"
  "Major mode for card games in RECYCLE."
  (setq-local comment-start ";; ")
  (setq-local comment-start-skip ";;+ *")
  (setq-local indent-line-function #'recycle-indent-line)
  (setq-local indent-tabs-mode nil)
  (setq-local font-lock-defaults '(recycle-font-lock-keywords nil nil)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.rcy\\'" . recycle-mode))

(defvar eglot-server-programs)

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               (cons 'recycle-mode (lambda (&rest _) (list recycle-cardwright-command "lsp")))))

(provide 'recycle-mode)
;;; recycle-mode.el ends here
